import { useSentences } from '../texts/languages.ts';
import { shortened } from './copyable.tsx';

const HASH = /\b((?:0x)?[0-9A-Fa-f]{64})\b/;

/** A text with shortened hashes. The tooltip of each has it whole. */
export const ShortHashes = ({ text }: { text: string }) => (
  <>
    {text.split(HASH).map((part, index) =>
      index % 2 === 0 ? (
        part
      ) : (
        <span class="together" title={part}>
          {shortened(part, 6)}
        </span>
      ),
    )}
  </>
);

/** An explanation of a state, in the language of the page where the API has said it. */
export const Note = ({ children }: { children: string }) => (
  <small>
    <ShortHashes text={useSentences()(children)} />
  </small>
);
