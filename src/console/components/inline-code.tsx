import { useSentences } from '../texts/languages.ts';
import { ShortHashes } from './note.tsx';

/** A sentence of the API, in the language of the page. Text between back-ticks is set as code. */
export const InlineCode = ({ text }: { text: string }) => (
  <>
    {useSentences()(text)
      .split('`')
      .map((part, position) => {
        const shown = <ShortHashes text={part} />;
        return position % 2 === 1 ? <code>{shown}</code> : shown;
      })}
  </>
);
