import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

type Headers = Parameters<typeof secureHeaders>[0];

/** Security headers: pages load nothing from other hosts, and no other site may frame them. */
export const pageHeaders = (more: Headers = {}) =>
  secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      // Diagrams and Swagger UI set style attributes. Icons are data URLs.
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      baseUri: ["'none'"],
      objectSrc: ["'none'"],
      frameAncestors: ["'none'"],
      formAction: ["'self'"],
    },
    crossOriginOpenerPolicy: false,
    strictTransportSecurity: false,
    ...more,
  });

/** The address of the answer never comes from the header `Host`. */
export const withoutTrailingSlash: MiddlewareHandler = async (c, next) => {
  await next();
  const { path } = c.req;
  if (c.res.status === 404 && c.req.method === 'GET' && /.\/$/.test(path))
    c.res = c.redirect(path.replace(/\/+$/, '') + new URL(c.req.url).search, 301);
};
