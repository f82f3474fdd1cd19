const TONES = {
  good: ['VERIFIED', 'DELIVERED', 'CREDITED', 'CONFIRMED', 'PROCESSED', 'UP', 'READY', 'OK'],
  bad: ['DENIED', 'UNKNOWN', 'ERROR', 'GIVEN-UP', 'DOWN', 'FAILED', 'NOT READY'],
  warn: ['UNATTRIBUTED', 'REORGANISED', 'CANCELED', 'STOPPED', 'ACTIVE'],
  busy: ['OPEN', 'AWAITED', 'PENDING', 'PROCESSING', 'WAIT-CONFIRM', 'SEEN', 'REGISTERED', 'MAILBOX'],
} as const;
export type Tone = keyof typeof TONES | 'plain';

export const toneOf = (word: string): Tone =>
  (Object.keys(TONES) as (keyof typeof TONES)[]).find(tone =>
    (TONES[tone] as readonly string[]).includes(word),
  ) ?? 'plain';

/** A status word in its colour. */
export const Badge = ({ of, tone = toneOf(of) }: { of: string; tone?: Tone }) => (
  <span class={`badge ${tone}`}>{of}</span>
);
