/** @typedef {{ owner: string, notes: { id: number, text: string, created: number }[] }} OwnNotes */

/**
 * The API, called with the access token of a session.
 * @param {string} baseUrl
 * @param {{ accessToken(): Promise<string>, renew(): Promise<void> }} session
 */
export function createNotesApi(baseUrl, session) {
  /** @param {RequestInit} init */
  const send = async (init) => {
    const token = await session.accessToken();
    return fetch(`${baseUrl}/notes`, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${token}` },
    });
  };

  /** @param {RequestInit} init */
  const call = async (init) => {
    let response = await send(init);
    if (response.status === 401) {
      // The token ended before we thought, or was taken back. If the refresh token was too, this throws.
      await session.renew();
      response = await send(init);
    }
    if (response.ok) return response.json();
    throw new Error(
      response.status === 403
        ? 'You did not allow the app to do this.'
        : `The API answers ${response.status}.`,
    );
  };

  return {
    /** @returns {Promise<OwnNotes>} */
    list: () => call({}),

    /** @param {string} text */
    add: (text) =>
      call({
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text }),
      }),
  };
}
