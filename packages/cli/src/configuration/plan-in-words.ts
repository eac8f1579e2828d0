import type { ConfigurationPlan, PlannedChange } from '@watchword/administration';
import { printable } from '@watchword/server/runtime/log/printable';

type Action = PlannedChange['action'];

const signs: Readonly<Record<Action, string>> = {
  create: '+',
  change: '~',
  takeOver: '@',
  delete: '-',
  letGo: '<',
  follow: '~',
};

const notes: Readonly<Partial<Record<Action, string>>> = {
  takeOver: 'taken over: it was made by hand',
  letGo: 'let go: it stays, and is changed by hand',
  follow: 'not in the file; it changes with a record that is',
};

// SGR codes: green, yellow, cyan, red.
const colours: Readonly<Record<Action, number>> = {
  create: 32,
  change: 33,
  takeOver: 36,
  delete: 31,
  letGo: 36,
  follow: 33,
};

/** @param isDone whether it was applied @param isColoured for a terminal */
export function planInWords(plan: ConfigurationPlan, isDone: boolean, isColoured: boolean): string[] {
  const { changes } = plan;
  const blocks = changes.flatMap((change) => [...linesOf(change, isColoured), '']);
  return [...blocks, summaryOf(plan, isDone)];
}

function linesOf({ action, recordType, name, fields }: PlannedChange, isColoured: boolean): string[] {
  const type = recordType === 'client' ? 'client' : 'resource server';
  const note = notes[action] === undefined ? '' : ` (${notes[action]})`;
  const head = printable(`${signs[action]} ${type} ${name}${note}`);
  return [
    isColoured ? `\u001b[${colours[action]}m${head}\u001b[0m` : head,
    ...fields.map((field) => printable(`    ${fieldInWords(field)}`)),
  ];
}

function fieldInWords(field: PlannedChange['fields'][number]): string {
  if (field.field === 'secret') return 'secret: another one';
  const after = JSON.stringify(field.after);
  return 'before' in field
    ? `${field.field}: ${JSON.stringify(field.before)} -> ${after}`
    : `${field.field}: ${after}`;
}

function summaryOf({ name, changes, unchanged }: ConfigurationPlan, isDone: boolean): string {
  if (changes.length === 0)
    return printable(`Configuration ${name}: nothing to do, ${unchanged} records are as it says.`);
  const words: Readonly<Record<Action, string>> = isDone
    ? {
        create: 'created',
        change: 'changed',
        takeOver: 'taken over',
        delete: 'deleted',
        letGo: 'let go',
        follow: 'changed with them',
      }
    : {
        create: 'to create',
        change: 'to change',
        takeOver: 'to take over',
        delete: 'to delete',
        letGo: 'to let go',
        follow: 'to change with them',
      };
  const counted = (Object.keys(words) as Action[]).flatMap((action) => {
    const count = changes.filter((change) => change.action === action).length;
    return count === 0 ? [] : [`${count} ${words[action]}`];
  });
  return printable(`Configuration ${name}: ${counted.join(', ')}, ${unchanged} unchanged.`);
}
