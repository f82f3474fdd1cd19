import type { Order } from '../client/calls.ts';
import type { RobotUser } from '../client/client.ts';
import { type AssetSymbol, accountKey, splitAddress, toCoins } from '../contract/assets.ts';
import { accountOf, type Customer } from '../contract/customers.ts';
import type { ByHand, Cause, ConditionReport, Difference, ModuleReport } from '../contract/plans.ts';
import { elapsedMs, toIso } from '../kernel/clock.ts';
import { cutText } from '../kernel/text.ts';
import { pause } from '../timers/loop.ts';
import { Evidence, type LoggedExchange } from './evidence.ts';
import { hasFailed, worst } from './outcome.ts';
import { PremiseMissing, Skip, Stop } from './stop.ts';
import { advance, faultName, ledgerMover, moveTimers, removeFaults, stopwatch } from './target.ts';
import { selfDelayIn } from './timing.ts';
import { customerFor, type RunWorld, runSymbols, sharedSymbol } from './world.ts';

/** The evidence of a result: expected and received, in words, and the exchanges. */
export interface Shown {
  expected?: string;
  got?: string;
  fields?: readonly Difference[];
  from?: readonly (LoggedExchange | undefined)[];
  /** It fails by what did not come, or came again: that says nothing about a VASP that the sandbox kept waiting for long. */
  ifServed?: true;
  /** Conditions of other modules that fail for the same cause name the same one. Default: the condition itself. */
  cause?: Cause;
}

export interface ModuleContextOptions {
  world: RunWorld;
  report: ModuleReport;
  /** Position of the module among all modules: its amounts. */
  position: number;
  /** The number of the start, from 1: a module starts again when its premise is missing. Default: 1. */
  start?: number;
  /** How often it may start again after this. Default: never. */
  startsLeft?: number;
  /** The last exchange before the module. Default: the newest one. */
  since?: number;
  /** The last exchange before the run. Default: that before the module. */
  runSince?: number;
  /** Called after every change that people should see at once. */
  onChange(): void;
  /** Default: nothing else is to be played. */
  playOthers?: PlayOthers | undefined;
}

/** Plays modules of the same lane in which nothing is paid, until it is over or none is left. */
export type PlayOthers = (isOver: () => boolean) => Promise<void>;

/**
 * Not every change is a commit here. The pause grows with the wait. Commits of others cause no look before `shortest`, and
 * after a while not before `patient`: most looks are calls.
 */
const PAUSE_MS = { shortest: 12, patient: 40, first: 15, longest: 100 };
/** A payment is final on every public network within this time. */
const PUBLIC_BLOCKS_MS = 300_000;
/** A VASP may answer without what it asks its node when that takes longer. */
const NODE_PATIENCE_MS = 200;

/** An empty text would read as if something was left out. A long one stands in its exchange. */
const shownText = (text: string | undefined): string | null =>
  text === undefined ? null : text.trim() === '' ? 'nothing' : cutText(text);

const shownOf = (from: NonNullable<Shown['from']>): LoggedExchange[] => from.filter(each => each !== undefined);

/** A module while it runs: its conditions, its evidence, its amounts. */
export class ModuleContext<W extends string = string> {
  readonly world: RunWorld;
  readonly evidence: Evidence;
  /** Of all modules, at the end of the run. */
  readonly ofRun: Evidence;
  readonly start: number;
  memo: unknown = null;
  /** Calls with their answers after which the VASP did not go on. */
  readonly ends: string[] = [];
  readonly #beganAt: number;
  readonly #options: ModuleContextOptions;
  #startsLeft: number;

  constructor(options: ModuleContextOptions) {
    const { world, report, start = 1, startsLeft = 0, since, runSince } = options;
    this.#options = options;
    this.world = world;
    this.start = start;
    this.#startsLeft = startsLeft;
    this.#beganAt = runSince === undefined ? elapsedMs() : 0;
    const { exchanges: reader, vaspId, symbolOf } = world;
    const others = world.isSideBySide ? runSymbols(world).filter(symbol => symbol !== this.symbol) : [];
    this.evidence = new Evidence({ reader, vaspId, symbolOf, since, otherSymbols: others });
    this.ofRun =
      runSince === undefined
        ? this.evidence
        : new Evidence({ reader, vaspId, symbolOf, since: runSince, otherSymbols: report.symbol ? others : [] });
  }

  get #report(): ModuleReport {
    return this.#options.report;
  }
  get id(): string {
    return this.#report.id;
  }
  get api(): Omit<RunWorld['api'], 'advance'> {
    return this.world.api;
  }
  get symbol(): AssetSymbol {
    return this.#report.symbol ?? sharedSymbol(this.world);
  }
  get amount(): string {
    return this.amountOf(1);
  }
  /**
   * The nth amount of the module, 1 to 6. No other module or start has it, nor a run before, and hardly a run of another
   * VASP. A balance tells its payments: no two pairs have the same sum (Erdős, Turán), nor that of one or of three.
   */
  amountOf(nth: number): string {
    const slot = 6 * this.#options.position + nth - 1;
    const chance = Number.parseInt(this.world.runId.slice(-4), 16) + (this.#report.starts ?? 1);
    const units = 4_000_000 + 2_000 * slot + ((slot * slot) % 967) + 10 * this.world.digits + (chance % 10);
    return this.symbol === 'ETH' ? `0.001${units}${1_000 + (chance % 9_000)}1` : toCoins('XRP', BigInt(units));
  }

  /** Judges a condition by `holds`, unless the sandbox itself was late. */
  check(word: W, holds: boolean, shown: Shown = {}): boolean {
    const delay = holds ? undefined : this.#selfDelay(shown);
    if (delay === undefined) this.#set(word, holds ? 'PASSED' : this.isAdvice(word) ? 'WARNING' : 'FAILED', shown);
    else this.reviewSelfDelay(word, delay, shown);
    return holds;
  }
  /** What was right is no longer so, perhaps after the end of the module. */
  failAfterwards(word: W, shown: Shown): void {
    if (this.#report.conditions.some(hasFailed)) return;
    this.#startsLeft = 0;
    this.check(word, false, shown);
    this.#report.result &&= worst([this.#report.result, this.isAdvice(word) ? 'WARNING' : 'FAILED']);
    this.#options.onChange();
  }
  /** It is allowed, but probably wrong. */
  warn(word: W, shown: Shown): void {
    this.#set(word, 'WARNING', shown);
  }
  /** It was awaited in vain. */
  notReceived(word: W, shown: Shown): void {
    const delay = this.#selfDelay({ ...shown, ifServed: true });
    if (delay !== undefined) return this.reviewSelfDelay(word, delay, shown);
    this.#set(word, this.isAdvice(word) ? 'WARNING' : 'NOT-RECEIVED', shown);
  }
  /** For people. Undefined: what failed is no work of the sandbox. */
  #selfDelay({ from = [], ifServed }: Shown): string | undefined {
    const cutOff = selfDelayIn(shownOf(from), this.world.timeoutMs);
    if (cutOff !== undefined || !ifServed) return cutOff;
    const unserved = this.evidence.notServed();
    if (unserved) return `it answered ${unserved.status} to ${unserved.operation} for a cause of its own`;
    const waitMs = this.world.longestWaitSince(this.#beganAt);
    // A VASP may give up its call when it would have been given up itself (WIRE-3.1).
    return waitMs < this.world.timeoutMs.verifyAccount
      ? undefined
      : `a call of the VASP had to wait for up to ${waitMs} ms, and the VASP may have given it up`;
  }
  /** The sandbox itself was late or in trouble, by `got`: the module starts again. At its last start a person must look. */
  reviewSelfDelay(word: W, got: string, shown: Shown = {}): void {
    this.#startAgain(`The sandbox itself was late or in trouble: ${got}.`);
    this.review(word, got, shown);
  }
  /** True: the VASP may have made this answer without that of its node, so no advice about it is given. */
  omitsAdvice(word: W, answer: LoggedExchange | undefined): boolean {
    const lateMs = answer?.stallMs ?? 0;
    if (!this.isAdvice(word) || lateMs < NODE_PATIENCE_MS) return false;
    this.omitAtLast(word, `The sandbox itself was late by ${lateMs} ms.`);
    return true;
  }
  /** The module starts again. At its last start the condition stays SKIPPED. */
  omitAtLast(word: W, because: string): void {
    this.#startAgain(because);
    this.omit(word, because);
  }
  #startAgain(because: string): void {
    if (this.#startsLeft > 0) this.missesPremise(because);
  }
  /** A person must look. `got`: at what. */
  review(word: W, got: string, shown: Shown = {}): void {
    this.#set(word, 'REVIEW', { ...shown, got });
  }
  /** The condition stays SKIPPED. `because`: what to add. */
  omit(word: W, because: string): void {
    this.#set(word, 'SKIPPED', { got: because });
  }
  isJudged(word: W): boolean {
    return this.resultOf(word) !== 'SKIPPED';
  }
  resultOf(word: W): ConditionReport['result'] {
    return this.#condition(word)?.result ?? 'SKIPPED';
  }
  stop(): never {
    throw new Stop(`${this.id} ends here`);
  }
  skip(because: string): never {
    throw new Skip(because);
  }
  /** The module is about other ledgers than this run. */
  doesNotApply(because: string): never {
    throw new Skip(because, { applies: false });
  }
  /** The sandbox or a ledger did not do its part: the module is an ERROR, and the VASP is not blamed. */
  trouble(what: string): never {
    throw new Error(what);
  }
  /** The premise of the module did not come true. It starts again. */
  missesPremise(what: string): never {
    throw new PremiseMissing(what);
  }

  #condition(word: W): ConditionReport | undefined {
    return this.#report.conditions.find(({ id }) => id === `${this.id}.${word}`);
  }
  isAdvice(word: W): boolean {
    return this.#condition(word)?.severity === 'WARNING';
  }
  #set(word: W, result: ConditionReport['result'], { expected, got, fields = [], from = [], cause }: Shown): void {
    const condition = this.#condition(word);
    if (!condition) return;
    delete condition.cause;
    delete condition.fields;
    Object.assign(condition, {
      result,
      expected: shownText(expected),
      got: shownText(got),
      ...(fields.length > 0 ? { fields } : {}),
      exchanges: shownOf(from).map(({ id }) => String(id)),
      ...(cause && (result === 'FAILED' || result === 'NOT-RECEIVED') ? { cause } : {}),
    });
  }

  user(id: string): RobotUser {
    const user = this.world.users.get(id);
    return user ?? this.skip(`The robot has no user ${id}. DELETE /sandbox/v1/users restores the users.`);
  }
  /** The first customer of this kind who has an account for the symbol. Throws `Skip`. */
  customer({ kind = 'natural', kyc = true }: { kind?: Customer['kind']; kyc?: boolean } = {}): Customer {
    const { symbol, world } = this;
    if (!world.customers) return this.skip('It needs a customers file: `robot-vasp check --init` writes an example.');
    const found = customerFor(world, symbol, { kind, kyc });
    const who = `${kind === 'natural' ? 'a natural' : 'a legal'} person ${kyc ? 'with' : 'without'} KYC`;
    return found ?? this.skip(`Add ${who} and an account for ${symbol} to the customers file.`);
  }
  accountOf(customer: Customer): string {
    return accountOf(customer, this.symbol)!;
  }
  /** An address at the tested VASP that belongs to none of its customers. */
  nobody(): string {
    const named = this.world.customers?.nobody;
    const account = named && accountOf({ accounts: named }, this.symbol);
    if (account !== undefined) return account;
    if (this.symbol === 'ETH') return `0x${this.world.uuid().replaceAll('-', '')}00000000`.toLowerCase();
    const [address] = splitAddress(this.accountOf(this.customer()));
    return `${address}:${4_000_000_000 + this.world.digits * 1000 + this.#options.position}`;
  }
  sameAccount(one: string, other: string): boolean {
    return accountKey(this.symbol, one) === accountKey(this.symbol, other);
  }

  /** Looks after every commit until something is found. Undefined: not within `ms` of `stopwatch`. */
  async until<T>(ms: number, look: () => T | undefined | Promise<T | undefined>): Promise<T | undefined> {
    const waitedMs = stopwatch(this);
    const moveLedger = ledgerMover(this);
    for (;;) {
      this.world.signal.throwIfAborted();
      const lookedAt = elapsedMs();
      const found = await look();
      if (found !== undefined) return found;
      const waited = waitedMs();
      const left = ms - waited;
      if (left <= 0) return undefined;
      await moveLedger(waited);
      await this.world.nextCommit(Math.min(left, PAUSE_MS.longest, PAUSE_MS.first + waited / 4));
      const apart = Math.min(PAUSE_MS.patient, Math.max(PAUSE_MS.shortest, waited / 4));
      const early = lookedAt + apart - elapsedMs();
      if (early > 0) await pause(Math.min(early, left));
    }
  }
  untilSandbox<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T | undefined> {
    return this.until(this.world.sandboxMs, look);
  }
  /** The same for a payment. A public network needs time for its blocks. The sandbox may read its chain late. */
  async untilPaid<T>(ms: number, look: () => T | undefined | Promise<T | undefined>): Promise<T | undefined> {
    const found = await this.until(ms + (this.world.isEmbedded(this.symbol) ? 0 : PUBLIC_BLOCKS_MS), look);
    if (found !== undefined) return found;
    await this.idle();
    return look();
  }
  /**
   * Orders a fault, which ends with the module at the latest. Returns its name. The name is stored before the order: an
   * end of the process between the two leaves no fault behind.
   */
  async fault(order: Order<'addFault'>): Promise<string> {
    const name = faultName(order);
    this.#report.faults = [...(this.#report.faults ?? []), name];
    this.#options.onChange();
    await this.api.addFault(order);
    return name;
  }
  async removeFault(name: string): Promise<void> {
    await removeFaults(this.api, [name]);
    this.#report.faults = (this.#report.faults ?? []).filter(each => each !== name);
  }
  /** Its ledger takes no transaction until the module releases it or ends, whatever ends it. */
  async holdLedger(): Promise<void> {
    await this.world.takeLedger(this.symbol);
    this.#report.held = this.symbol;
    this.#options.onChange();
    await this.api.setControl(this.symbol, 'hold', { on: true });
  }
  async releaseLedger(): Promise<void> {
    await this.world.releaseLedger(this.symbol);
    delete this.#report.held;
  }
  /**
   * Passes time of the VASP, in which other modules go on that pay nothing. A VASP that needs the ledger for them gets it:
   * then the time ends. From then on only what is about this verification belongs to the module. Returns what `look` has
   * found at the end of the time, while the ledger is held.
   */
  async passHeld<T>(ms: number, verificationUuid: string, look: () => Promise<T>): Promise<T> {
    const lastsMs = await moveTimers(this.world, ms);
    const waitedMs = stopwatch(this);
    const { held } = this.world.watch;
    let found: Promise<T> | undefined;
    const give = async () => {
      held.delete(give);
      found = look();
      // Another module gives it: what goes wrong here is none of its business.
      await found.catch(() => {});
      await this.releaseLedger();
    };
    held.add(give);
    this.evidence.narrow(verificationUuid);
    // A person who acts in between would hold the ledger for minutes.
    if (this.world.driver) await this.#options.playOthers?.(() => found !== undefined || waitedMs() >= lastsMs);
    held.delete(give);
    if (!found) await this.until(lastsMs - waitedMs(), () => undefined);
    return found ?? look();
  }
  /** Runs everything that is due, and reads both ledgers. */
  async idle(): Promise<void> {
    this.world.signal.throwIfAborted();
    await this.world.api.advance('0s');
  }
  get movesTime(): boolean {
    return this.world.settings.clock === 'sandbox';
  }
  /** Passes time of the sandbox's clock by a duration such as '2s', where the run may. */
  async advance(duration: string): Promise<void> {
    if (this.movesTime) await advance(this.world, duration);
  }

  asks(byHand: ByHand): void {
    Object.assign(this.#report, { byHand });
  }

  /** The VASP has to act by itself, or by hand. */
  async whileWaiting<T>(
    instruction: string,
    limitMs: number,
    nearMisses: () => NonNullable<ModuleReport['waiting']>['nearMisses'],
    work: () => Promise<T>,
  ): Promise<T> {
    const until = toIso(this.world.now() + limitMs);
    let shown = -1;
    const show = () => {
      const { length } = this.evidence.all();
      if (length === shown) return;
      shown = length;
      const waiting = { instruction, until, nearMisses: nearMisses() };
      const exchanges = this.evidence.kept(new Set());
      Object.assign(this.#report, { status: 'WAITING', waiting, exchanges });
      this.#options.onChange();
    };
    show();
    this.#showWaiting = show;
    try {
      return await work();
    } finally {
      this.#showWaiting = () => {};
      Object.assign(this.#report, { status: 'RUNNING', waiting: null });
      this.#options.onChange();
    }
  }
  #showWaiting = () => {};
  showNearMisses(): void {
    this.#showWaiting();
  }
}
