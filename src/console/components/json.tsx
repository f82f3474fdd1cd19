import { type Child, createContext, useContext } from 'hono/jsx';
import { MAX_DEPTH } from '../../contract/parse.ts';
import { parseJson } from '../../kernel/json.ts';
import { fill, useTexts } from '../texts/languages.ts';

/** The member that decided. `field`: its path, such as `ivms101.originator.originatorPersons[0]`. */
export interface Mark {
  field: string;
  expected?: unknown;
  got?: unknown;
}

interface Json {
  of: unknown;
  /** For a copy button. Unique on the page. */
  id?: string | undefined;
  mark?: Mark | undefined;
}

/** JSON as a tree that folds, of a value or of a JSON text. Other text is shown unchanged. */
export const Json = ({ of, id, mark }: Json) => {
  const { exchange: texts, list } = useTexts();
  const text = typeof of === 'string' ? of : (JSON.stringify(of) ?? '');
  if (!useRoom('characters', text.length)) return <p class="muted">{fill(texts.noRoom, { length: text.length })}</p>;
  const json = shallowJson(text);
  const isTree = json !== undefined && useRoom('values', valuesIn(json));
  return (
    <div class="json-box">
      {/* It scrolls, so the keyboard has to reach it. */}
      <pre class="json" tabindex={0} id={id}>
        {isTree ? <Value of={json} path={mark && pathOf(json, mark)} mark={mark} /> : text}
      </pre>
      {id ? (
        <span class="json-tools">
          <button type="button" class="copy" data-fold={`#${id}`} aria-label={texts.foldJson}>
            {texts.fold}
          </button>{' '}
          <button type="button" class="copy" data-copy={`#${id}`} aria-label={texts.copyJson}>
            {list.copy}
          </button>
        </span>
      ) : null}
    </div>
  );
};

/** Undefined: no JSON, or too deep to be drawn. */
export const shallowJson = (text: string): unknown => parseJson(text, { maxDepth: MAX_DEPTH });

const valuesIn = (json: unknown): number =>
  typeof json === 'object' && json !== null
    ? Object.values(json).reduce<number>((sum, each) => sum + valuesIn(each), 1)
    : 1;

/** The place of the marked member. The field may be named from inside of the message. */
function pathOf(json: unknown, { field }: Mark): string[] | undefined {
  const path = field.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  const prefixes = [[], ['payload'], ['assetInfo'], ['data'], ['payload', 'ivms101']];
  return prefixes.map(prefix => [...prefix, ...path]).find(each => holds(json, each));
}

function holds(json: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true;
  if (typeof json !== 'object' || json === null) return false;
  // A missing member is marked at its parent.
  if (!Object.hasOwn(json, key)) return rest.length === 0;
  return holds((json as Record<string, unknown>)[key], rest);
}

interface Part {
  of: unknown;
  /** The rest of the path to the marked member. Empty: this is it. Undefined: it is elsewhere. */
  path?: readonly string[] | undefined;
  mark?: Mark | undefined;
}

const Value = ({ of, path, mark }: Part) =>
  typeof of === 'object' && of !== null ? (
    <Members of={of} path={path} mark={mark} />
  ) : (
    <span class={`json-${of === null ? 'null' : typeof of}`}>{JSON.stringify(of)}</span>
  );

const Members = ({ of, path, mark }: Part & { of: object }) => {
  const isList = Array.isArray(of);
  const members = Object.entries(of);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const missing = path?.length === 1 && !Object.hasOwn(of, path[0]!);
  if (members.length === 0 && !missing) return <>{open + close}</>;
  return (
    <span class="json-group">
      <span class="json-fold">{open}</span>
      {members.map(([key, value], index) => {
        const isOnPath = path?.[0] === key;
        const isMarked = isOnPath && path?.length === 1;
        return (
          <span class={isMarked ? 'json-member marked' : 'json-member'}>
            {isList ? null : (
              <>
                <span class="json-key">{JSON.stringify(key)}</span>
                {': '}
              </>
            )}
            <Value of={value} path={isOnPath ? path?.slice(1) : undefined} mark={mark} />
            {index < members.length - 1 ? ',' : ''}
            {isMarked ? <Expected of={mark!} /> : null}
          </span>
        );
      })}
      {missing ? (
        <span class="json-member marked">
          <Expected of={mark!} />
        </span>
      ) : null}
      {close}
    </span>
  );
};

/** Not part of the JSON that is copied: it is drawn by the style sheet. */
const Expected = ({ of: { expected, got } }: { of: Mark }): Child => {
  const texts = useTexts().exchange;
  const text = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? texts.nothing));
  const words = fill(texts.expectedAndGot, { expected: text(expected), got: text(got) });
  return <span class="json-expected" role="note" aria-label={words} data-text={`← ${words}`} />;
};

/** Values that one page draws in trees: one takes about 10 µs. And the characters of all that it shows. */
const IN_TREES = 2_000;
const IN_ALL = 200_000;

/** What the page may still show. It becomes less as the page is drawn. */
export const roomOfPage = () => ({ values: IN_TREES, characters: IN_ALL });
type Room = ReturnType<typeof roomOfPage>;
export const Room = createContext(roomOfPage());

/** False: the page has no room for as many. */
export function useRoom(unit: keyof Room, count: number): boolean {
  const room = useContext(Room);
  if (count > room[unit]) return false;
  room[unit] -= count;
  return true;
}
