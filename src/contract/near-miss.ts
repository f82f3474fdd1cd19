/** What would have been right, beside what came: for the one who looks for a mistake. */
export interface NearMiss {
  /** Path of the member in the request or in the answer. */
  readonly field: string;
  readonly expected: string;
  readonly got: string;
}
