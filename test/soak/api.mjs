/** Calls of a VASP. `address`: the client's, as the proxy tells it. */
export const api = (url, apiKey) => ({
  async send(method, path, body, address) {
    const answer = await fetch(url + path, {
      method,
      headers: {
        accept: 'application/json, text/event-stream',
        ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(address ? { 'x-forwarded-for': address } : {}),
      },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(120_000),
    }).catch(error => ({ failed: error.cause?.code ?? error.name }));
    if (answer.failed) return { status: answer.failed };
    const text = await answer.text().catch(() => '');
    return { status: answer.status, body: json(text), retryAfter: Number(answer.headers.get('retry-after') ?? 0) };
  },
});

const json = text => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));
