/** The expected value beside the received one, to help somebody find a mistake. */
export interface NearMiss {
  /** Path of the member in the request or in the answer. */
  readonly field: string;
  readonly expected: string;
  readonly got: string;
}
