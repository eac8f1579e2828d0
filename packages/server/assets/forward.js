// What the button does, without waiting for somebody to press it.
const forward = document.getElementById('forward');
if (forward instanceof HTMLFormElement) forward.submit();
else if (forward instanceof HTMLAnchorElement) location.replace(forward.href);
