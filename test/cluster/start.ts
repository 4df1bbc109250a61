import { once } from 'node:events'
import { addresses, namespaceOf } from './network.ts'
import { folder, startCluster, whyNoCluster } from './cluster.ts'
import { appMachines, proxyPorts } from './configurations.ts'

/** Starts the cluster for people, tells how to reach and to break it, and removes it on Ctrl-C. */
const reason = whyNoCluster()
if (reason !== undefined) {
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}
const tell = (line: string): void => void process.stdout.write(`${line}\n`)
const cluster = await startCluster(tell)
const { clientId, clientSecret } = cluster.manifest.partners.primary!.clients![0]!
tell(`
partner API     ${cluster.baseUrls.join('  ')}
client          ${clientId}  ${clientSecret}
proxies         ${appMachines.map((machine) => `http://${addresses[machine]}:${proxyPorts.status}/`).join('  ')}
logs            ${folder}/*.log

who is primary  curl -s http://${addresses.db1}:8008/cluster
kill a program  kill -9 PID; ip netns pids ${namespaceOf('db1')} lists those of a machine; it is back after a second
pull a cable    ip link set ${namespaceOf('db1')} nomaster
plug it in      ip link set ${namespaceOf('db1')} master commerce

Ctrl-C ends it.`)
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
await cluster.stop()
