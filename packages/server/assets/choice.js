// Searches while one types: asks for the same page and shows its list. Without it the button does.
const form = document.querySelector('.search');
const field = document.getElementById('search');
let asked = 0;

async function search() {
  asked += 1;
  const mine = asked;
  const url = `${form.action}?${new URLSearchParams(new FormData(form))}`;
  const answer = await fetch(url, { headers: { accept: 'text/html' }, redirect: 'error' });
  if (!answer.ok) return;
  const found = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('choices');
  // Of two answers the later question counts, whichever comes last.
  if (found !== null && mine === asked) document.getElementById('choices').replaceWith(found);
}

let timer;
field.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(() => search().catch(() => {}), 120);
});
