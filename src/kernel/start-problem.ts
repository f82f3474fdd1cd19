/** The program cannot start. The message is one sentence for the person who started it. */
export class StartProblem extends Error {
  override readonly name = 'StartProblem';
}
