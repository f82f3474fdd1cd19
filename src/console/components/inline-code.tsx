/** A sentence of the API. Text between back-ticks is set as code. */
export const InlineCode = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, position) => (position % 2 === 1 ? <code>{part}</code> : part))}</>
);
