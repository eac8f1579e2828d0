/** Someone who works for the company, or buys from it. */
export interface Person {
  /** With which the person logs in. */
  readonly name: string;
  readonly displayName: string;
  readonly isStaff: boolean;
}

const staff = [
  ...[
    'Emma de Vries',
    'Noor Bakker',
    'Joris Visser',
    'Lena Vogel',
    'Samir Haddad',
    'Fenna Smit',
    'Otto Brandt',
  ],
  ...['Mila Novak', 'Tom Peeters', 'Aisha Diallo'],
];
const customers = [
  ...[
    'Anouk Jansen',
    'Ben Fischer',
    'Carla Rossi',
    'Daan Mulder',
    'Elif Yilmaz',
    'Felix Wagner',
    'Greta Lind',
  ],
  ...['Hugo Martin', 'Ines Costa', 'Jonas Becker', 'Kim Nguyen', 'Lars Holm', 'Marie Dubois', 'Nils Berg'],
  ...[
    'Olga Petrova',
    'Pim Dekker',
    'Rosa Garcia',
    'Stijn Maes',
    'Tess Willems',
    'Umar Khan',
    'Vera Kowalska',
  ],
  ...[
    'Wout Claes',
    'Xenia Papas',
    'Yara Cohen',
    'Zoe Keller',
    'Bram Hendriks',
    'Clara Schulz',
    'Dries Wouters',
  ],
  ...['Eva Horvat', 'Finn Murphy'],
];

function named(displayName: string, isStaff: boolean): Person {
  return { name: (displayName.split(' ')[0] ?? displayName).toLowerCase(), displayName, isStaff };
}

/** Forty people with different names. */
export const people: readonly Person[] = [
  ...staff.map((name) => named(name, true)),
  ...customers.map((name) => named(name, false)),
];
