import { INTERNAL_ERROR, STOPPING, STORAGE_UNAVAILABLE, UNKNOWN_OPERATION } from '../contract/errors.ts';
import { EvidenceExchange } from '../contract/plans.ts';
import { toIso } from '../kernel/clock.ts';
import { parseJson } from '../kernel/json.ts';
import type { HeaderValues } from '../kernel/secrets.ts';

/** An exchange as the exchange log holds it. */
export interface LoggedExchange extends Omit<EvidenceExchange, 'id' | 'at' | 'stallMs'> {
  id: number;
  /** D-38: sent once more. It says nothing about the VASP. */
  isRepeated: boolean;
  at: number;
  responseHeaders: HeaderValues;
  /** Null: none. */
  stallMs: number | null;
}

export interface ExchangeReader {
  /** Id of the newest exchange. */
  newest(): number;
  /** Exchanges with a greater id, oldest first. */
  after(vaspId: string, query: { after: number; limit: number }): LoggedExchange[];
}

const PAGE = 500;

/** The exchanges after `since`, read now and once for all modules. Later ones are read as they come. */
export function readOnce(reader: ExchangeReader, vaspId: string, since: number): ExchangeReader {
  const all = [...pagesOf(reader, vaspId, since)];
  const last = all.at(-1)?.id ?? since;
  return {
    newest: reader.newest,
    after(_, { after, limit }) {
      const page = all.filter(({ id }) => id > after).slice(0, limit);
      const left = limit - page.length;
      return left === 0 ? page : [...page, ...reader.after(vaspId, { after: Math.max(after, last), limit: left })];
    },
  };
}

function* pagesOf(reader: ExchangeReader, vaspId: string, since: number): Generator<LoggedExchange> {
  for (let after = since; ; ) {
    const page = reader.after(vaspId, { after, limit: PAGE });
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
  }
}

const MAX_PER_MODULE = 100;
const MAX_CHARACTERS = 8_000;

export interface EvidenceOptions {
  reader: ExchangeReader;
  vaspId: string;
  /** Default: the newest exchange. */
  since?: number | undefined;
  /** Symbols of the modules that run at the same time. Their exchanges are left out. */
  otherSymbols: readonly string[];
  /** Symbols of the verifications of the run. All modules of the run share it. */
  symbolOf: Map<string, string>;
}

/** The exchanges with one VASP since the start of a module. */
export class Evidence {
  readonly #options: EvidenceOptions;
  readonly since: number;
  #read: number;
  #only: string | undefined;
  #all: LoggedExchange[] = [];

  constructor(options: EvidenceOptions) {
    this.#options = options;
    this.since = options.since ?? options.reader.newest();
    this.#read = this.since;
  }

  /** Oldest first. */
  all(): readonly LoggedExchange[] {
    const { reader, vaspId } = this.#options;
    for (const each of pagesOf(reader, vaspId, this.#read)) {
      if (this.#isOwn(each)) this.#all.push(each);
      this.#read = each.id;
    }
    return this.#all;
  }

  /** From now on other modules go on: only exchanges about this verification are own ones. */
  narrow(verificationUuid: string): void {
    this.all();
    this.#only = verificationUuid;
  }

  #isOwn({ request, verificationUuid: uuid }: LoggedExchange): boolean {
    if (this.#only !== undefined && uuid !== this.#only) return false;
    const { otherSymbols, symbolOf } = this.#options;
    const body = json(request);
    const own = (body?.assetInfo as { symbol?: unknown } | undefined)?.symbol ?? body?.symbol;
    if (uuid !== null && typeof own === 'string') symbolOf.set(uuid, own);
    const symbol = own ?? (uuid === null ? undefined : symbolOf.get(uuid));
    return !otherSymbols.some(each => each === symbol);
  }

  #calls(direction: 'IN' | 'OUT', operation: string, uuid: string | undefined): LoggedExchange[] {
    const calls = this.all().filter(each => each.direction === direction && each.operation === operation);
    return uuid === undefined ? calls : calls.filter(({ verificationUuid }) => verificationUuid === uuid);
  }

  /** Calls of the enclave to the VASP. */
  sent(operation: string, verificationUuid?: string): LoggedExchange[] {
    return this.#calls('OUT', operation, verificationUuid).filter(({ isRepeated }) => !isRepeated);
  }

  /** Calls of the VASP to the enclave. One that was not taken, by our limit or by trouble of ours, may be made again. */
  received(operation: string, verificationUuid?: string): LoggedExchange[] {
    const calls = this.#calls('IN', operation, verificationUuid);
    return calls.filter(each => !isRateLimited(each) && !isNotServed(each));
  }

  /** Those that the enclave has taken. */
  accepted(operation: string, verificationUuid: string): LoggedExchange[] {
    return this.received(operation, verificationUuid).filter(({ status }) => status === 200);
  }

  /** An act of the VASP above our limit, or a call that the sandbox could not serve: the VASP may go on without it. */
  notServed(): LoggedExchange | undefined {
    const isRefused = (each: LoggedExchange) => isNotServed(each) || (each.method === 'POST' && isRateLimited(each));
    return this.all().find(each => each.direction === 'IN' && isRefused(each));
  }

  /** Calls of the VASP that the enclave has refused, also those whose operation nobody knows. */
  refused(operation: string): LoggedExchange[] {
    const names = [operation, UNKNOWN_OPERATION];
    return this.all().filter(
      each => each.direction === 'IN' && names.includes(each.operation) && (each.status === null || each.status >= 400),
    );
  }

  /** The first ones, and those that a condition cites, in the order of their beginning. Ids follow the answers. */
  kept(cited: ReadonlySet<string>, first = MAX_PER_MODULE): EvidenceExchange[] {
    const all = this.all();
    return all
      .filter((exchange, position) => position < first || cited.has(String(exchange.id)))
      .sort((one, other) => one.at - other.at)
      .map(asEvidence);
  }
}

const isRateLimited = ({ status, response }: LoggedExchange): boolean =>
  status === 429 && json(response)?.code === 'RATE-LIMITED';

const OWN_TROUBLE: readonly unknown[] = [STORAGE_UNAVAILABLE, STOPPING, INTERNAL_ERROR].map(({ code }) => code);

const isNotServed = ({ status, response }: LoggedExchange): boolean =>
  status !== null && status >= 500 && OWN_TROUBLE.includes(json(response)?.code);

const cut = (text: string | null): string | null =>
  text === null || text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS)}…`;

const asEvidence = (row: LoggedExchange): EvidenceExchange =>
  EvidenceExchange.parse({
    ...row,
    id: String(row.id),
    request: cut(row.request),
    response: cut(row.response),
    stallMs: row.stallMs || undefined,
    at: toIso(row.at),
  });

/** The body as JSON; undefined: it is none. */
export function json(body: string | null | undefined): Record<string, unknown> | undefined {
  const value = parseJson(body ?? '');
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}
