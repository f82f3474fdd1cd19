/** The key of `Authorization: Bearer <key>`. Undefined: the header has another form. */
export const bearerKey = (authorization: string): string | undefined => /^Bearer +(\S+)$/i.exec(authorization)?.[1];
