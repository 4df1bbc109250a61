/** Sends what the form of an operation says to the sandbox, and shows the answer. */

const sandbox = (): string => document.querySelector<HTMLMetaElement>('meta[name="sandbox-url"]')!.content

/** The token of this tab. The secret of a client is never kept. */
const tokenKey = 'sandbox-token'

export function openForm(page: Document): void {
  const button = page.querySelector<HTMLButtonElement>('button[data-try]')
  const dialog = page.querySelector<HTMLDialogElement>('dialog#try-it')
  const form = dialog?.querySelector('form')
  if (!button || !dialog || !form) return
  button.addEventListener('click', () => {
    const kept = input(form, ':token')
    if (kept && kept.value === '') kept.value = sessionStorage.getItem(tokenKey) ?? ''
    dialog.showModal()
  })
  dialog.querySelector('[data-close]')!.addEventListener('click', () => dialog.close())
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send(dialog, form)
  })
}

async function send(dialog: HTMLDialogElement, form: HTMLFormElement): Promise<void> {
  const status = dialog.querySelector<HTMLElement>('.status')!
  const button = form.querySelector<HTMLButtonElement>('.send')!
  button.disabled = true
  status.textContent = 'Waiting for the sandbox'
  try {
    const token = await tokenOf(form)
    const startedAt = performance.now()
    const answer = await fetch(urlOf(form), {
      method: form.dataset.method!,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(input(form, ':body') && { 'content-type': form.dataset.mediaType! }),
        ...(form.dataset.path === '/v1/mcp' && { accept: 'application/json, text/event-stream' }),
      },
      ...(input(form, ':body') && { body: input(form, ':body')!.value }),
    })
    const text = await answer.text()
    const milliseconds = Math.round(performance.now() - startedAt)
    status.textContent = `${answer.status} ${answer.statusText}, ${milliseconds} ms`
    show(dialog, [...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n'), readable(text))
  } catch (error) {
    status.textContent = error instanceof TypeError ? 'The sandbox could not be reached.' : (error as Error).message
  } finally {
    button.disabled = false
  }
}

/** A token that was given, or one for the client; undefined = the operation needs none. */
async function tokenOf(form: HTMLFormElement): Promise<string | undefined> {
  const field = input(form, ':token')
  if (!field) return undefined
  const clientId = input(form, ':clientId')!.value.trim()
  const clientSecret = input(form, ':clientSecret')!.value.trim()
  if (clientId !== '') {
    const answer = await fetch(`${sandbox()}/oauth2/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }),
    })
    const { access_token: token, error_description: says } = await answer.json()
    if (token === undefined) throw new Error(says ?? `The token endpoint answers ${answer.status}.`)
    field.value = token
    input(form, ':clientId')!.value = ''
    input(form, ':clientSecret')!.value = ''
  }
  if (field.value.trim() === '') throw new Error('Give a client id and secret, or an access token.')
  sessionStorage.setItem(tokenKey, field.value.trim())
  return field.value.trim()
}

function urlOf(form: HTMLFormElement): string {
  let path = form.dataset.path!
  const query = new URLSearchParams()
  for (const field of form.querySelectorAll<HTMLInputElement>('input[data-in]')) {
    if (field.dataset.in === 'path') path = path.replace(`{${field.name}}`, encodeURIComponent(field.value))
    else if (field.value !== '') query.set(field.name, field.value)
  }
  return `${sandbox()}${path}${query.size > 0 ? `?${query}` : ''}`
}

function show(dialog: HTMLDialogElement, headers: string, body: string): void {
  const answer = dialog.querySelector<HTMLElement>('.answer')!
  answer.hidden = false
  answer.querySelector('[data-headers]')!.textContent = headers
  answer.querySelector('[data-body]')!.textContent = body
  answer.scrollIntoView({ block: 'nearest' })
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function input(form: HTMLFormElement, name: string): HTMLInputElement | null {
  return form.querySelector<HTMLInputElement>(`[name="${name}"]`)
}
