/** Ends a module: what is not judged yet cannot be judged. */
export class Stop extends Error {
  override readonly name = 'Stop';
}

/** The module cannot run here. `message`: why, and what to add. */
export class Skip extends Error {
  override readonly name = 'Skip';
}
