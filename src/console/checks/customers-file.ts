import { Customers } from '../../contract/customers.ts';
import { parse } from '../../contract/parse.ts';

interface Read {
  customers?: Customers;
  problem?: string;
  /** The field of the form with the problem. */
  field: string;
}

type Form = Readonly<Record<string, string | undefined>>;

const ONE = ['lastName', 'firstName', 'dateOfBirth', 'placeOfBirth', 'ETH', 'XRP'] as const;

/** The customers of the form: those of the file, else the one of the fields. None: the driver describes them. */
export const CustomersFile = {
  of(form: Form): Read {
    const text = form.customers?.trim() ?? '';
    if (text !== '') return read('customers', () => JSON.parse(text));
    if (ONE.every(name => !form[name]?.trim())) return { field: 'customers' };
    return read('lastName', () => ({ customers: [customerOf(form)] }));
  },
};

function read(field: string, value: () => unknown): Read {
  try {
    return { customers: parse(Customers, value()), field };
  } catch (error) {
    const { message, field: path = '' } = error as Error & { field?: string };
    const own = field === 'customers' ? undefined : ONE.find(name => path.endsWith(name));
    return { problem: message, field: own ?? field };
  }
}

/** An empty field is absent. */
function customerOf(form: Form) {
  const given = (names: readonly string[]) =>
    Object.fromEntries(names.flatMap(name => (form[name]?.trim() ? [[name, form[name]?.trim()]] : [])));
  return {
    id: 'main',
    kind: 'natural',
    names: given(['lastName', 'firstName']),
    ...given(['dateOfBirth', 'placeOfBirth']),
    accounts: given(['ETH', 'XRP']),
  };
}
