/** Oldest first. A run plays the newest by default. What a later one adds fails nobody who names an older one. */
export const PLAN_VERSIONS = ['2026.11', '2026.12'] as const;
export type PlanVersion = (typeof PLAN_VERSIONS)[number];
export const FIRST_PLAN_VERSION: PlanVersion = PLAN_VERSIONS[0];
export const NEWEST_PLAN_VERSION: PlanVersion = PLAN_VERSIONS.at(-1)!;

/** An addition of the version `since` is part of `version`. */
export const isInVersion = (since: PlanVersion, version: PlanVersion): boolean =>
  PLAN_VERSIONS.indexOf(since) <= PLAN_VERSIONS.indexOf(version);
