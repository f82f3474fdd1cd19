import type { Command } from './command.ts';

/** Loaded on demand: `serve` does not load the other commands. */
export const COMMANDS: Record<string, () => Promise<unknown>> = {
  serve: async () => (await import('./serve.ts')).serve,
  enclave: async () => (await import('./enclave.ts')).enclave,
  demo: async () => (await import('./demo.ts')).demo,
  vasp: async () => (await import('./vasp.ts')).vasp,
  ledger: async () => (await import('./ledger.ts')).ledger,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restore,
  compact: async () => (await import('./compact.ts')).compact,
  status: async () => (await import('./status.ts')).status,
  why: async () => (await import('./why.ts')).why,
  verifications: async () => (await import('./lists.ts')).verifications,
  callbacks: async () => (await import('./lists.ts')).callbacks,
  exchanges: async () => (await import('./lists.ts')).exchanges,
  faults: async () => (await import('./lists.ts')).faults,
  deposit: async () => (await import('./deposit.ts')).deposit,
  wait: async () => (await import('./wait.ts')).wait,
  advance: async () => (await import('./advance.ts')).advance,
  chain: async () => (await import('./chain.ts')).chain,
  invite: async () => (await import('./operator.ts')).invite,
  export: async () => (await import('./operator.ts')).exportVasp,
  import: async () => (await import('./operator.ts')).importVasp,
  forget: async () => (await import('./operator.ts')).forget,
  replay: async () => (await import('./replay.ts')).replay,
  scenarios: async () => (await import('./scenarios.ts')).scenarios,
  setup: async () => (await import('./setup.ts')).setup,
  tail: async () => (await import('./tail.ts')).tail,
  open: async () => (await import('./open.ts')).open,
  mcp: async () => (await import('./mcp.ts')).mcp,
  check: async () => (await import('./check.ts')).check,
  init: async () => (await import('./init.ts')).init,
  'verify-report': async () => (await import('./verify-report.ts')).verifyReport,
  version: async () => (await import('./version.ts')).version,
};
export const load = (name: string) => COMMANDS[name]!() as Promise<Command>;
export const everyCommand = () => Promise.all(Object.keys(COMMANDS).map(load));
