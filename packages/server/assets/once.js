// Lets the page send a form once: a second click would throw away the answer to the first. `disabled` would take the
// pressed button out of what is sent, and the focus from it; so the buttons are only marked.
let timer;

function mark(isSent) {
  for (const button of document.querySelectorAll('button')) {
    if (isSent) button.setAttribute('aria-disabled', 'true');
    else button.removeAttribute('aria-disabled');
  }
}

function release() {
  clearTimeout(timer);
  timer = undefined;
  mark(false);
}

addEventListener('submit', (event) => {
  if (timer !== undefined) return event.preventDefault();
  // The page stays where the answer leads to an application of the device, or loading was stopped.
  timer = setTimeout(release, 5000);
  mark(true);
});

// Back can show the page in the state in which the user left it.
addEventListener('pageshow', release);
