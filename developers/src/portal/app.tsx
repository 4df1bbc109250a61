/** The portal: what partners' people see of their own integration. It finds its page from the address. */
export default function Portal() {
  return <p>The portal.</p>
}
