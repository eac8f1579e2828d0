import type { Command } from '../../../hot/command.ts';
import type { Statement } from '../../../hot/statement.ts';
import { statements } from '../../../hot/statements.ts';

const byNumber = Object.values(statements) as unknown as readonly Statement[];

/** The statements of a command, in their order. All commands of one form can be run by one text. */
export interface CommandForm {
  readonly statements: readonly Statement[];
  /** Where the parameters of each statement begin in a command. */
  readonly positions: readonly number[];
  /** The last one that decides; `undefined` if none does. Those before it only hold rows. */
  readonly deciding: Statement | undefined;
  /** For prepared statements. */
  readonly name: string;
}

interface Node {
  readonly form: CommandForm;
  /** Where a further statement begins in a command. */
  readonly end: number;
  readonly next: Map<number, Node>;
}

/** The forms of commands. They are few, and each is made once. */
export class CommandForms {
  readonly #statements: readonly Statement[];
  readonly #root: Node = {
    form: { statements: [], positions: [], deciding: undefined, name: 'hot' },
    end: 0,
    next: new Map(),
  };

  /** @param run the statements that a database runs, in the order of their numbers; default: as they are written */
  constructor(run: readonly Statement[] = byNumber) {
    this.#statements = run;
  }

  /** The form of a command; `undefined` if a statement decides after one that has changed rows. */
  of(command: Command): CommandForm | undefined {
    let node = this.#root;
    while (node.end < command.length) {
      const number = command[node.end] as number;
      let next = node.next.get(number);
      if (next === undefined) {
        const statement = this.#statements[number] as Statement;
        if (statement.decides && node.form.deciding?.holds === false) return undefined;
        next = extended(node, statement);
        node.next.set(number, next);
      }
      node = next;
    }
    return node.form;
  }
}

function extended({ form, end }: Node, statement: Statement): Node {
  return {
    form: {
      statements: [...form.statements, statement],
      positions: [...form.positions, end + 1],
      deciding: statement.decides ? statement : form.deciding,
      name: `${form.name}_${statement.number}`,
    },
    end: end + 1 + valuesOf(statement.number),
    next: new Map(),
  };
}

/** The statements of a command, each as a command of its own. */
export function statementsOf(command: Command): Command[] {
  const parts: Command[] = [];
  for (let position = 0; position < command.length; ) {
    const end = position + 1 + valuesOf(command[position] as number);
    parts.push(command.slice(position, end));
    position = end;
  }
  return parts;
}

/** Number of values of a statement in a command. */
function valuesOf(number: number): number {
  return (byNumber[number] as Statement).names.length;
}
