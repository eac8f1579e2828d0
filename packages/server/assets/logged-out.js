// Tells the other tabs of the administration pages, which then ask the server whether their session has ended too.
new BroadcastChannel('watchword.session').postMessage('ended');
