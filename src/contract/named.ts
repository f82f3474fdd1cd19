import * as z from 'zod';

type Shape = z.core.$ZodLooseShape;
type Named<S extends Shape> = z.ZodObject<z.core.util.Writeable<S>, z.core.$strip>;

/** An object that has a name in the API document, and may have a description there. */
export function named<S extends Shape>(id: string, shape: S): Named<S>;
export function named<S extends Shape>(id: string, description: string, shape: S): Named<S>;
export function named(id: string, ...[first, second]: [Shape] | [string, Shape]) {
  if (second === undefined) return z.object(first as Shape).meta({ id });
  return z.object(second).meta({ id, description: first as string });
}

/** The same with members that nobody has described: they are kept unchanged. */
export const loose = <S extends Shape>(id: string, description: string, shape: S) =>
  z.looseObject(shape).meta({ id, description });
