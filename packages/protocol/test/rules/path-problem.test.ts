import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pathProblem } from '../../src/rules/path-problem.ts';

const braces = ['$', '{ENV}'].join('');

describe('the path of a file', () => {
  it('is every name that operators give to files', () => {
    for (const path of [
      'id.db',
      './data/id.db',
      '../id.db',
      '/var/lib/watchword/id.db',
      'data/postgres.db',
      'my data/id 2.db',
      "/home/o'brien/id.db",
      '/srv/данные/账户/münchen.db',
      '/srv/می‌خواهم.db',
      'C:\\Program Files\\Watchword\\id.db',
      'c:/watchword/id.db',
      'd:id.db',
      '\\\\files\\c$\\id.db',
      './~/id.db',
      '/home/x/~tmp/id.db',
      './$HOME/id.db',
      '/data/100%/id.db',
      'backup-2026-11-28T13:47:05+00:00.db',
      'backup13:47.db',
      'data/a:b.db',
      'folder/',
      '-',
      '@example/login',
    ]) {
      assert.equal(pathProblem(path), undefined, path);
    }
  });

  for (const [what, advice, ...texts] of [
    ['nothing', 'write a path', ''],
    ['white space alone', 'write a path in place of the white space', ' ', '\t\r\n', '\u00a0'],
    ['white space at its beginning', 'remove the white space at its beginning', ' id.db', '\ufeffid.db'],
    ['white space at its end', 'remove the white space at its end', 'id.db ', 'id.db\u00a0', 'id.db\t'],
    ['the end of a line', 'remove U+000D at position 6', 'id.db\r', 'id.db\r\n'],
    ['a control character', 'remove U+0000 at position 2', 'i\0d.db'],
    ['an invisible character', 'remove U+200B at position 3', 'id\u200b.db'],
    ['a mark of direction', 'remove U+202E at position 1', '\u202eid.db'],
    ['a lone surrogate', 'write it in valid Unicode', 'id\ud800.db'],
    [
      'quotes',
      'remove the quotes',
      ...[
        '"id.db"',
        "'id.db'",
        '`id.db`',
        '“id.db”',
        '"id.db',
        "id.db'",
        'data/"id.db"',
        '"postgres://u@h/d"',
      ],
    ],
    [
      'the home of a shell',
      'write the whole path, because nothing replaces ~ here',
      '~/id.db',
      '~',
      '~emma/id.db',
    ],
    ['a variable', 'write the whole path, because nothing replaces $HOME here', '$HOME/id.db'],
    [
      'a variable in braces',
      `write the whole path, because nothing replaces ${braces} here`,
      `/data/${braces}/id.db`,
    ],
    ['a specifier of systemd', 'write the whole path, because nothing replaces %h here', '%h/id.db'],
    [
      'a variable of Windows',
      'write the whole path, because nothing replaces %APPDATA% here',
      '%APPDATA%\\id.db',
    ],
    ['a scheme', 'write the path alone, without sqlite:', 'sqlite:./x.db', 'sqlite:///x.db', 'sqlite:x.db'],
    ['the scheme of files', 'write the path alone, without file:', 'file:///x.db', 'file:x.db'],
    ['a host with its port', 'write the path alone, without localhost:', 'localhost:5432/id'],
  ] as const) {
    it(`is refused with ${what}, and what was meant is said`, () => {
      for (const text of texts) assert.equal(pathProblem(text), advice, JSON.stringify(text));
    });
  }

  it('can be a URL where a module is named', () => {
    assert.equal(pathProblem('file:///srv/login.js', true), undefined);
    assert.equal(pathProblem('~/login.js', true), 'write the whole path, because nothing replaces ~ here');
  });
});
