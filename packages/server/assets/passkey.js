// Asks the browser for a passkey (WebAuthn) after a click on the button `passkey`, and where the user types the name.
{
  const octets = (text) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0));
  const base64url = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replace(/=+$/, '');
  const withIds = (list) => list?.map((each) => ({ ...each, id: octets(each.id) }));

  function publicKeyOf(options) {
    const { challenge, user, allowCredentials, excludeCredentials } = options;
    return {
      ...options,
      challenge: octets(challenge),
      ...(user && { user: { ...user, id: octets(user.id) } }),
      ...(allowCredentials && { allowCredentials: withIds(allowCredentials) }),
      ...(excludeCredentials && { excludeCredentials: withIds(excludeCredentials) }),
    };
  }

  // Browsers and extensions differ in toJSON.
  function answerOf(credential) {
    const { id, rawId, type, response } = credential;
    const members = {};
    for (const name of [
      'clientDataJSON',
      'attestationObject',
      'authenticatorData',
      'signature',
      'userHandle',
    ]) {
      if (response[name]) members[name] = base64url(response[name]);
    }
    if (response.getTransports) members.transports = response.getTransports();
    const clientExtensionResults = credential.getClientExtensionResults();
    return JSON.stringify({ id, rawId: base64url(rawId), type, response: members, clientExtensionResults });
  }

  function follow(input) {
    const { form } = input;
    const { unknown, none, known } = input.dataset;
    const options = JSON.parse(input.dataset.options);
    const button = form.querySelector('button[value="passkey"]');
    const status = form.querySelector('.passkey-status');
    let asking;

    async function ask(mediation) {
      asking?.abort();
      asking = new AbortController();
      const request = { publicKey: publicKeyOf(options), signal: asking.signal };
      if (mediation) request.mediation = mediation;
      const { credentials } = navigator;
      const credential = await (options.user ? credentials.create(request) : credentials.get(request));
      input.value = answerOf(credential);
      form.requestSubmit(button);
    }

    async function offer() {
      if (!document.querySelector('input[autocomplete~="webauthn"]')) return;
      if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
      // It ends when the button asks.
      await ask('conditional').catch(() => {});
    }

    form.addEventListener('submit', (event) => {
      if (event.submitter !== button || input.value !== '') return;
      event.preventDefault();
      event.stopPropagation();
      status.textContent = '';
      ask().catch(({ name }) => {
        if (name === 'AbortError') return;
        status.textContent = name === 'InvalidStateError' ? known : none;
        offer();
      });
    });
    // Back can show the page with an answer that was sent.
    addEventListener('pageshow', () => {
      input.value = '';
    });
    if (unknown !== '') {
      const forgotten = { rpId: options.rpId, credentialId: unknown };
      PublicKeyCredential.signalUnknownCredential?.(forgotten).catch(() => {});
    }
    offer();
  }

  // Without it, the form says why there are no passkeys.
  if (window.PublicKeyCredential) {
    for (const input of document.querySelectorAll('input[name="passkey"]')) follow(input);
    // A passkey that was removed is offered no more, and the others by the present names.
    for (const { dataset } of document.querySelectorAll('[data-passkeys]')) {
      const accepted = JSON.parse(dataset.passkeys);
      PublicKeyCredential.signalAllAcceptedCredentials?.(accepted).catch(() => {});
      PublicKeyCredential.signalCurrentUserDetails?.(accepted).catch(() => {});
    }
  }
}
