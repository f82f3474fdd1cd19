const USER = /^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i;
const SECRETS = /([?&](?:token|key|api_key|apikey|secret|password|signature|access_token)=)[^&#]*/gi;

/** An address for people and for the history: without user, password and secret parameters. */
export const maskedUrl = (url: string): string =>
  MAY_HOLD_SECRETS.test(url) ? url.replace(USER, '$1***@').replace(SECRETS, '$1***') : url;

/** Most addresses have neither a user nor parameters. */
const MAY_HOLD_SECRETS = /[@?&]/;
