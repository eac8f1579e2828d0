// What the button does, without waiting for somebody to press it. Where cookies are switched off it would never end.
// A field may be called submit, and stand for the method of the form.
const repeat = document.getElementById('repeat');
if (navigator.cookieEnabled) HTMLFormElement.prototype.submit.call(repeat);
