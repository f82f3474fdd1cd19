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
