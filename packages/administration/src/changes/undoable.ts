/**
 * Runs work that can end its transaction without the changes: `undo` throws through it, and its value is the result. What
 * else is thrown stays as it is.
 */
export async function undoable<Value>(
  work: (undo: (value: Value) => never) => Promise<Value>,
): Promise<Value> {
  const end = new Error('the transaction ends without its changes');
  let undone: { readonly value: Value } | undefined;
  try {
    return await work((value) => {
      undone = { value };
      throw end;
    });
  } catch (error) {
    if (error === end && undone !== undefined) return undone.value;
    throw error;
  }
}
