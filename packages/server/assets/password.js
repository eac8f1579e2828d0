// Shows a password while the user wants to see it, and says where Caps Lock is on.
for (const button of document.querySelectorAll('.reveal')) {
  const input = document.getElementById(button.getAttribute('aria-controls'));
  const caps = input.parentElement.querySelector('.caps');

  function show(isShown) {
    input.type = isShown ? 'text' : 'password';
    button.textContent = isShown ? button.dataset.hide : button.dataset.show;
    button.title = button.textContent;
  }

  const say = (event) => {
    caps.textContent = event.getModifierState?.('CapsLock') ? caps.dataset.caps : '';
  };

  show(false);
  button.hidden = false;
  input.parentElement.classList.add('has-reveal');
  button.addEventListener('click', () => show(input.type === 'password'));
  input.addEventListener('keydown', say);
  input.addEventListener('keyup', say);
  input.addEventListener('blur', () => {
    caps.textContent = '';
  });
  // A browser must not keep it among the texts that it offers again, nor show it after Back.
  input.form?.addEventListener('submit', () => show(false));
  addEventListener('pageshow', () => show(false));
}
