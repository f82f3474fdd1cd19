/** A count over a list that grows stops here. One more than this means that there are more. */
export const MAX_COUNTED = 10_000;
