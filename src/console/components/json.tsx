import { MAX_DEPTH } from '../../contract/json-object.ts';
import { jsonDepth } from '../../kernel/json-depth.ts';

/** Pretty-printed JSON of a value or of a JSON text. Other text is shown unchanged. */
export const Json = ({ of }: { of: unknown }) => (
  // It scrolls, so the keyboard has to reach it.
  <pre class="json" tabindex={0}>
    {pretty(of)}
  </pre>
);

function pretty(value: unknown): string {
  if (typeof value === 'string' && jsonDepth(value) > MAX_DEPTH) return value;
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}
