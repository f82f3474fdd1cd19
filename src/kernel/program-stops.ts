/** The program stops before the work has ended: nobody can say yet what becomes of it. */
export class ProgramStops extends Error {
  override readonly name = 'ProgramStops';
}
