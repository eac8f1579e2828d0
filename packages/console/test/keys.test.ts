import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { calledName, type SourceNode, sources } from './support/sources.ts';

describe('keys that confirm or choose a conversion of an input method', () => {
  it('get to no handler of the GUI', () => {
    const isHandled = (node: SourceNode) => {
      if (node.type === 'VariableDeclarator' && (node.id as SourceNode).name === 'onKeyDown') {
        return calledName(node.init as SourceNode) === 'onKeys';
      }
      if (node.type !== 'JSXAttribute' || !/^onKey/.test(String((node.name as SourceNode).name))) return true;
      const { expression } = node.value as { readonly expression: SourceNode };
      return expression.name === 'onKeyDown' || calledName(expression) === 'onKeys';
    };
    const unhandled = sources('onKey').flatMap(({ file, nodes, lineOf }) =>
      nodes.filter((node) => !isHandled(node)).map((node) => `${file}:${lineOf(node)}`),
    );
    assert.deepEqual(unhandled, []);
  });
});
