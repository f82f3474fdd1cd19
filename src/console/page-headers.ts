import { secureHeaders } from 'hono/secure-headers';

type Headers = Parameters<typeof secureHeaders>[0];

/** Of every page: nothing comes from another host, and no other site frames it. */
export const pageHeaders = (more: Headers = {}) =>
  secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      // Diagrams and Swagger UI set style attributes; icons are data addresses.
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      frameAncestors: ["'none'"],
      formAction: ["'self'"],
    },
    crossOriginOpenerPolicy: false,
    strictTransportSecurity: false,
    ...more,
  });
