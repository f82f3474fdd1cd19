/** Strangers share an embedded chain: they read, and send what they have signed. The tester of the local mode does more. */
export type DevnetAccess = 'everything' | 'reading and sending';
