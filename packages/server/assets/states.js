// Loads the shown page again when the server has read its files again, and shows what is wrong with them.
const frame = document.getElementById('state');
const problems = document.getElementById('problems');
let look;

async function compare() {
  const answer = await fetch(frame.dataset.look);
  const now = await answer.json();
  problems.hidden = now.problems.length === 0;
  problems.textContent = now.problems.join('\n');
  if (look !== undefined && look !== now.look) frame.contentWindow.location.reload();
  look = now.look;
}

setInterval(() => compare().catch(() => {}), 500);
