/** The beginning of the names of all files that belong to a database. */
export const baseOf = (databasePath: string): string => databasePath.replace(/\.sqlite$/, '');
