export type Sequence = (attack: {
  url: string;
  trial: { vaspId: string; apiKey: string };
  over(): boolean;
  note(what: string, how: unknown): void;
}) => Promise<void>;
export const SEQUENCES: Record<string, Sequence>;
