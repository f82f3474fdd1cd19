import type { RunProblem } from '../contract/plans.ts';

/** Ends a module: what is not judged yet cannot be judged. */
export class Stop extends Error {
  override readonly name = 'Stop';
}

/** The module cannot run here. `message`: why, and what to add. */
export class Skip extends Error {
  override readonly name = 'Skip';
  /** False: it is about another ledger. Nothing has to be added. */
  readonly applies: boolean;
  constructor(message: string, { applies = true } = {}) {
    super(message);
    this.applies = applies;
  }
}

/** The premise of the module did not come true, by chance: it starts again. `message`: the premise, in one sentence. */
export class PremiseMissing extends Error {
  override readonly name = 'PremiseMissing';
}

/** Somebody has stopped the run. */
export class RunStopped extends Error {
  override readonly name = 'RunStopped';
  constructor() {
    super('the run was stopped');
  }
}

/** Nothing of the run can be played. */
export class Unplayable extends Error {
  override readonly name = 'Unplayable';
  readonly problem: RunProblem;
  constructor(problem: RunProblem) {
    super(problem.message);
    this.problem = problem;
  }
}
