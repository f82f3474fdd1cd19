/** A sentence of the API: what stands in back-ticks is set as code. */
export const Ticked = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, position) => (position % 2 === 1 ? <code>{part}</code> : part))}</>
);
