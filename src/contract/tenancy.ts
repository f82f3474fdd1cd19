/** The guard of tenancy: what belongs to a VASP cannot be read without that VASP. It does not compile. */

declare const CALLER: unique symbol;
declare const SCOPED: unique symbol;

/** The vaspId of the VASP that calls. Every read for a VASP takes it; a vaspId of a path or a body does not fit. */
export type CallerId = string & { readonly [CALLER]: true };

/** An identifier that a read for a caller has returned. What hangs on it belongs to that caller. */
export type Scoped<Id extends string | number> = Id & { readonly [SCOPED]: true };

/** For those who decide who calls, and for work that no VASP asks for. The architecture test names them. */
export const asCaller = (vaspId: string): CallerId => vaspId as CallerId;

/** For the control of the enclave and of the robot: `row` was read for a caller, and `id` names its identifier. */
export const scopedRow =
  <K extends string>(_id: K) =>
  <Row extends Record<K, string | number>>(row: Row) =>
    row as Row & { [P in K]: Scoped<Row[P]> };
