/** A count over a list that grows stops here. One more than this means that there are more. */
export const MOST_COUNTED = 10_000;
