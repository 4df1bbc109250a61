import { addresses, type Machine } from './network.ts'

/** The configurations of the programs of the cluster. docs/operations.md says why the values are what they are. */

export type DatabaseMachine = 'db1' | 'db2' | 'db3'
export type AppMachine = 'app1' | 'app2'

export const databaseMachines: readonly DatabaseMachine[] = ['db1', 'db2', 'db3']
export const appMachines: readonly AppMachine[] = ['app1', 'app2']

export const postgresFolder = '/usr/lib/postgresql/15/bin'

/** The ports of the proxy of an app machine; the first two are on its loopback only. */
export const proxyPorts = { primary: 5000, replica: 5001, partners: 80, status: 7000 } as const

export type Passwords = { superuser: string; replication: string; owner: string; service: string }

export function etcdCommand(machine: DatabaseMachine, folder: string): string[] {
  const peer = (each: DatabaseMachine): string => `${each}=http://${addresses[each]}:2380`
  const own = addresses[machine]
  return [
    'etcd',
    `--name=${machine}`,
    `--data-dir=${folder}/etcd`,
    `--listen-peer-urls=http://${own}:2380`,
    `--initial-advertise-peer-urls=http://${own}:2380`,
    `--listen-client-urls=http://${own}:2379`,
    `--advertise-client-urls=http://${own}:2379`,
    `--initial-cluster=${databaseMachines.map(peer).join()}`,
    '--heartbeat-interval=100',
    '--election-timeout=500',
    '--pre-vote',
    '--enable-v2',
    '--logger=zap',
  ]
}

export function patroniConfiguration(machine: DatabaseMachine, folder: string, passwords: Passwords): string {
  const own = addresses[machine]
  return `scope: commerce
name: ${machine}

restapi:
  listen: ${own}:8008
  connect_address: ${own}:8008

etcd:
  hosts: [${databaseMachines.map((each) => `'${addresses[each]}:2379'`).join(', ')}]

bootstrap:
  dcs:
    ttl: 3
    loop_wait: 1
    retry_timeout: 2
    primary_start_timeout: 0
    synchronous_mode: true
    failsafe_mode: true
    maximum_lag_on_failover: 1048576
    postgresql:
      use_pg_rewind: true
      use_slots: false
      remove_data_directory_on_rewind_failure: true
      remove_data_directory_on_diverged_timelines: true
      parameters:
        max_connections: 300
        wal_keep_size: 256MB
        wal_sender_timeout: 3s
        wal_receiver_timeout: 3s
        wal_receiver_status_interval: 1s
        wal_retrieve_retry_interval: 500ms
        tcp_keepalives_idle: 2
        tcp_keepalives_interval: 1
        tcp_keepalives_count: 3
        tcp_user_timeout: 4s
        recovery_init_sync_method: syncfs
        shared_buffers: 64MB
        archive_mode: 'on'
        archive_command: /bin/true
  initdb:
    - encoding: UTF8
    - locale: C.UTF-8
    - data-checksums
  pg_hba:
    - host replication replicator 10.250.25.0/24 scram-sha-256
    - host all all 10.250.25.0/24 scram-sha-256
    - local all all trust

postgresql:
  listen: ${own}:5432
  connect_address: ${own}:5432
  data_dir: ${folder}/postgres
  bin_dir: ${postgresFolder}
  pgpass: ${folder}/pgpass
  authentication:
    superuser: {username: postgres, password: ${passwords.superuser}}
    replication: {username: replicator, password: ${passwords.replication}}
  parameters:
    unix_socket_directories: ${folder}
`
}

/** The proxy of an app machine: the way of its processes to the database, and of partners to all API processes. */
export function proxyConfiguration(machine: AppMachine): string {
  const servers = (port: number, check: number, of: readonly Machine[]): string =>
    of.map((each) => `  server ${each} ${addresses[each]}:${port} check port ${check}`).join('\n')
  const databases = (name: 'primary' | 'replica'): string => `listen ${name}
  bind 127.0.0.1:${proxyPorts[name]}
  mode tcp
  timeout client 1h
  timeout server 1h
  option clitcpka
  option srvtcpka
  option httpchk OPTIONS /${name}
  http-check expect status 200
  default-server inter 500ms fastinter 250ms downinter 250ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers(5432, 8008, databaseMachines)}
`
  const apis = (name: string, path: string): string => `backend ${name}
  mode http
  balance roundrobin
  option httpchk
  http-check send meth GET uri ${path} ver HTTP/1.1 hdr Host commerce
  http-check expect status 200
  option redispatch 1
  retries 3
  retry-on conn-failure
  default-server inter 500ms fastinter 250ms downinter 250ms fall 2 rise 1
${servers(8080, 9090, appMachines)}
`
  return `global
  maxconn 4000

defaults
  timeout connect 1s
  timeout check 1s
  timeout client 30s
  timeout server 30s

${databases('primary')}
${databases('replica')}
frontend partners
  mode http
  bind ${addresses[machine]}:${proxyPorts.partners}
  option forwardfor
  # While no process is ready, those that live still answer: with 503 problems, and with what needs no primary.
  use_backend living if { nbsrv(ready) eq 0 }
  default_backend ready

${apis('ready', '/readyz')}
${apis('living', '/healthz')}
frontend status
  mode http
  bind ${addresses[machine]}:${proxyPorts.status}
  stats enable
  stats uri /
`
}
