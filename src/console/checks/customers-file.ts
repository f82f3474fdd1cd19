import { Customers } from '../../contract/customers.ts';
import { parse } from '../../contract/parse.ts';

/** The text of the form. Empty: the driver describes the customers. */
export const CustomersFile = {
  parse(text: string): { customers?: Customers; problem?: string } {
    if (text.trim() === '') return {};
    try {
      return { customers: parse(Customers, JSON.parse(text)) };
    } catch (error) {
      return { problem: (error as Error).message };
    }
  },
};
