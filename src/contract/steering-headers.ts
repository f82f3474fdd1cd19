/** Headers that steer the connection or the reading of the body. None of them may carry a token. */
const STEERING =
  /^(host|connection|keep-alive|content-(length|type|encoding)|transfer-encoding|te|trailer|upgrade|expect|accept|http2-settings|proxy-.*|sec-.*|:.*)$/i;

export const steersConnection = (header: string): boolean => STEERING.test(header);
