// JavaScript as it was written before classes: constructors, prototypes, functions in objects.
import { points } from "./points.ts";

function Account(owner) {
    this.owner = owner;
    this.balance = 0;
}

Account.prototype.deposit = function (amount) {
    this.balance += validate(amount);
    return this;
};

Account.prototype.withdraw = function withdraw(amount) {
    if (amount > this.balance) {
        throw new Error(this.owner + " has only " + this.balance);
    }
    this.balance -= amount;
    return this;
};

Account.open = function (owner, amount) {
    return new Account(owner).deposit(amount);
};

function Savings(owner, rate) {
    Account.call(this, owner);
    this.rate = validate(rate);
}
Savings.prototype = Object.create(Account.prototype, { constructor: { value: Savings } });
Savings.prototype.accrue = function () {
    return this.deposit(this.balance * this.rate - 1);
};

var validate = function (amount) {
    if (!(amount > 0)) {
        throw new RangeError(amount + " is no amount");
    }
    return amount;
};

var bank = (function () {
    var accounts = {};
    function find(owner) {
        var account = accounts[owner];
        if (!account) {
            throw new ReferenceError("no account of " + owner);
        }
        return account;
    }
    return {
        add: function (account) {
            accounts[account.owner] = account;
        },
        transfer: function (from, to, amount) {
            find(from).withdraw(amount);
            find(to).deposit(amount);
        },
        each: function (callback) {
            for (var owner in accounts) {
                callback.call(this, accounts[owner], owner);
            }
        },
    };
})();

bank.add(Account.open("ann", 10));
bank.add(Account.open("bob", 20));

points("legacy", {
    prototype: () => new Account("eve").deposit(-5),
    named: () => Account.open("eve", 5).withdraw(6),
    statically: () => Account.open("eve"),
    inherited: () => new Savings("eve", 0.1).accrue(),
    constructor2: () => new Savings("eve", 0),
    moduleObject: () => bank.transfer("ann", "zoe", 1),
    moduleMissing: () => bank.transfer("zoe", "ann", 1),
    callback: () =>
        bank.each(function (account, owner) {
            if (owner === "bob") {
                account.withdraw(1000);
            }
        }),
});
