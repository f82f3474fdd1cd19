export interface Addressed {
  url: string;
  /** Basic auth for the header `Authorization`. Absent: the address names no user. */
  authorization?: string;
}

/** RFC 3986, RFC 7617: `http://user:secret@host/`, with percent codes decoded. */
export function withoutCredentials(address: string): Addressed {
  const url = new URL(address);
  const { username, password } = url;
  if (username === '' && password === '') return { url: address };
  url.username = '';
  url.password = '';
  const pair = `${decoded(username)}:${decoded(password)}`;
  return { url: url.href, authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** A stray `%` is no code: it stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
